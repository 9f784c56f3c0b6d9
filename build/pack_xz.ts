// Deno packed with xz, and how the header unpacks it. It is a tar file of one file: programs that have
// xz built in read nothing else. So a machine without the command still unpacks, with what its system
// always has: dpkg-deb on Debian and Ubuntu, tar on macOS, busybox where that is the system.

import { Buffer } from "node:buffer";

/** How long Deno is, packed and unpacked. */
export interface XzSizes {
  packedBytes: number;
  bytes: number;
}

/** The first level: the usual one saves a tenth more, in five times the time of a build. */
const level = "-1";

/** A tar file with Deno, packed; undefined where there is no xz. */
export async function packXz(deno: Uint8Array): Promise<Uint8Array | undefined> {
  const command = new Deno.Command("xz", {
    args: [level, "-T1", "-c"],
    stdin: "piped",
    stdout: "piped",
  });
  let child: Deno.ChildProcess;
  try {
    child = command.spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const given = new Blob([tarOf("deno", deno)]).stream().pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  await given;
  if (!success) throw new Error("Cannot pack Deno: xz failed");
  return stdout;
}

const blockBytes = 512;

/** A tar file with one file in it. */
function tarOf(name: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(blockBytes);
  const write = (text: string, at: number): void => void header.write(text, at, "latin1");
  write(name, 0);
  write("0000755\0" + "0000000\0".repeat(2), 100);
  write(bytes.length.toString(8).padStart(11, "0") + "\0" + "0".repeat(11) + "\0", 124);
  write(" ".repeat(8) + "0", 148);
  write("ustar\0" + "00", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  write(sum.toString(8).padStart(6, "0") + "\0 ", 148);
  const whole = new Uint8Array(
    blockBytes + Math.ceil(bytes.length / blockBytes) * blockBytes + 2 * blockBytes,
  );
  whole.set(header);
  whole.set(bytes, blockBytes);
  return whole;
}

/** What unpacks: xz itself, or what has it built in and is there without it. */
const unpackers = { linux: "xz busybox bsdtar dpkg-deb python3", darwin: "xz tar" };

/** Chooses one of them; looks beyond PATH too. */
export function findXz(darwin: boolean): string {
  return `  xz=
  for word in ${darwin ? unpackers.darwin : unpackers.linux}; do
    for tool in "$word" "/usr/bin/$word" "/bin/$word"; do
      command -v "$tool" > /dev/null 2>&1 && can_unxz "$tool" && xz=$tool && break 2
    done
  done
  [ -n "$xz" ] ||
    fail DENIED 7 'Cannot unpack: xz is not installed' \\
      'install it (Debian: xz-utils, others: xz), or build a file that does not need it: deno task compile --gzip'`;
}

/** The functions of the header for it. What comes out is compared with its checksum afterwards. */
export function unxzDeno({ packedBytes, bytes }: XzSizes): string {
  return `  can_unxz() { # PROGRAM
    case $1 in
      *busybox) "$1" xz --help ;;
      *python3) "$1" -c 'import lzma' ;;
    esac
  } > /dev/null 2>&1

  # Deno is in a tar file: behind ${blockBytes} bytes.
  unxz_deno() {
    case $xz in
      *tar) "$xz" -xOf - ;;
      *dpkg-deb)
        {
          printf '!<arch>\\n%-48s%-10s\`\\n2.0\\n' 'debian-binary   0           0     0     100644' 4
          printf '%-48s%-10s\`\\n' 'control.tar     0           0     0     100644' 0
          printf '%-48s%-10s\`\\n' 'data.tar.xz     0           0     0     100644' ${packedBytes}
          cat${packedBytes % 2 === 1 ? " && echo" : ""}
        } > "$new/deb" && "$xz" --fsys-tarfile "$new/deb" | cut_deno && rm "$new/deb"
        ;;
      *busybox) "$xz" xz -dc | cut_deno ;;
      *python3) "$xz" -c "$read_xz" | cut_deno ;;
      *) "$xz" -dc | cut_deno ;;
    esac
  }
  read_xz='import lzma, shutil, sys
shutil.copyfileobj(lzma.open(sys.stdin.buffer), sys.stdout.buffer)'

  cut_deno() {
    tail -c +${blockBytes + 1} | head -c ${bytes}
  }
`;
}
