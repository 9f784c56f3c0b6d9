// Stands in for a Linux program under Wine: asks main.ts to start the program of the same name, and
// passes on arguments, streams and the exit code. The port is compiled in: tests start programs without the
// variables of their own. Frames: a byte for the kind, four for the length, bytes.

#include <winsock2.h>
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SOCKET server;

static void send_frame(char kind, const void *bytes, unsigned length) {
  char *frame = malloc(length + 5);
  frame[0] = kind;
  memcpy(frame + 1, &length, 4);
  if (length > 0) memcpy(frame + 5, bytes, length);
  for (unsigned sent = 0; sent < length + 5;) {
    int n = send(server, frame + sent, length + 5 - sent, 0);
    if (n <= 0) ExitProcess(97);
    sent += n;
  }
  free(frame);
}

static void send_text(char kind, const wchar_t *text) {
  int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
  char *bytes = malloc(size);
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, size, NULL, NULL);
  send_frame(kind, bytes, size - 1);
  free(bytes);
}

static void receive(void *bytes, unsigned length) {
  for (unsigned got = 0; got < length;) {
    int n = recv(server, (char *)bytes + got, length - got, 0);
    if (n <= 0) ExitProcess(98);
    got += n;
  }
}

static DWORD WINAPI feed(void *unused) {
  char bytes[65536];
  DWORD n;
  HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
  while (ReadFile(input, bytes, sizeof bytes, &n, NULL) && n > 0) send_frame('i', bytes, n);
  send_frame('.', NULL, 0);
  return 0;
}

int main(void) {
  WSADATA data;
  WSAStartup(0x202, &data);
  server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_port = htons(PORT);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(server, (void *)&address, sizeof address) != 0) return 97;

  wchar_t path[4096];
  GetModuleFileNameW(NULL, path, 4096);
  send_text('p', path);
  GetCurrentDirectoryW(4096, path);
  send_text('d', path);
  int count;
  wchar_t **words = CommandLineToArgvW(GetCommandLineW(), &count);
  for (int i = 1; i < count; i++) send_text('a', words[i]);
  for (wchar_t *one = GetEnvironmentStringsW(); *one; one += wcslen(one) + 1) send_text('e', one);
  send_frame('!', NULL, 0);
  CreateThread(NULL, 0, feed, NULL, 0, NULL);

  for (;;) {
    char kind;
    unsigned length;
    receive(&kind, 1);
    receive(&length, 4);
    char *bytes = malloc(length + 1);
    receive(bytes, length);
    if (kind == 'x') ExitProcess(bytes[0] & 255);
    HANDLE out = GetStdHandle(kind == 'o' ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
    for (DWORD done = 0, n; done < length; done += n) {
      if (!WriteFile(out, bytes + done, length - done, &n, NULL)) break;
    }
    free(bytes);
  }
}
