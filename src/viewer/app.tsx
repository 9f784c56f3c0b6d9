// The frame of the page: menu, current view, notices, questions, and the shortcuts that work everywhere.

import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { call, type CommandName, type InputOf } from "./data/call.ts";
import { tellChange } from "./data/live.ts";
import { useKeys } from "./data/page_keys.ts";
import { type PageContext, PageProvider } from "./data/page_context.ts";
import type { Facts } from "./data/received.ts";
import { goTo, hrefOf, readRoute, useRoute } from "./data/route.ts";
import { toCallError } from "./data/use_answer.ts";
import { AskDialog, type Question } from "./parts/ask_dialog.tsx";
import { HelpDialog } from "./help_dialog.tsx";
import { Palette } from "./palette.tsx";
import { Icon } from "./parts/icon.tsx";
import { moveFocus } from "./data/move_focus.ts";
import { type ViewEntry, viewList } from "./view_list.ts";

/** How long a notice is shown. */
const tellMs = 8000;

interface Notice {
  message: string;
  undo?: () => void;
}

export function App({ facts }: { facts: Facts }): JSX.Element {
  const { view, params } = useRoute();
  const [shown, setShown] = useState<"help" | "palette">();
  const [notice, setNotice] = useState<Notice>();
  const [question, setQuestion] = useState<Question>();
  const tell = useCallback((message: string, undo?: () => void): void => {
    const told = { message, undo };
    setNotice(told);
    setTimeout(() => setNotice((now) => now === told ? undefined : now), tellMs);
  }, []);
  const page = useMemo<PageContext>(() => ({
    facts,
    tell,
    act: (name, input, done) =>
      act(name, input, { done, tell, ask: setQuestion, tellsActs: !facts.session }),
  }), [facts]);
  const toView = Object.fromEntries(
    viewList.map(({ name, letter }) => [`g ${letter}`, () => goTo(hrefOf(name))]),
  );
  useKeys({
    ...toView,
    "/": focusField,
    "j": () => moveFocus("[data-row]", 1),
    "k": () => moveFocus("[data-row]", -1),
    "J": () => moveFocus("[data-prompt]", 1),
    "K": () => moveFocus("[data-prompt]", -1),
    "?": () => setShown("help"),
    "mod+k": () => setShown(shown === "palette" ? undefined : "palette"),
    "esc": leaveField,
  }, { isFrame: true });
  const current = viewList.find(({ name }) => name === view) ?? viewList[0];
  const [isMoreAsked, setMoreAsked] = useState(false);
  const isMoreShown = isMoreAsked || current.icon === undefined;
  // A session and a file have titles of their own.
  const isInside = params.has("session") || params.has("path");
  const hasHead = current.about !== undefined && !isInside;
  useEffect(() => {
    setMoreAsked(false);
    document.title = `${current.title} · ctx · ${facts.workspace.replace(/^.*\//, "")}`;
  }, [current]);
  const close = (): void => setShown(undefined);
  return (
    <PageProvider value={page}>
      <a class="skip" href={location.hash} onClick={() => document.querySelector("main")?.focus()}>
        Skip to content
      </a>
      <nav aria-label="Views">
        <strong title={facts.workspace}>
          ctx <span>/ {facts.workspace.replace(/^.*\//, "")}</span>
        </strong>
        {viewList.filter(({ icon }) => icon !== undefined).map((one) => (
          <ViewLink key={one.name} {...one} isCurrent={one === current} />
        ))}
        <button
          type="button"
          class="quiet"
          aria-expanded={isMoreShown}
          aria-controls="more"
          onClick={() => setMoreAsked(!isMoreAsked)}
        >
          <Icon name="more" />
          More
        </button>
        <div id="more" class={isMoreAsked ? "more asked" : "more"} hidden={!isMoreShown}>
          {viewList.filter(({ icon }) => icon === undefined).map((one) => (
            <ViewLink key={one.name} {...one} isCurrent={one === current} />
          ))}
        </div>
        <div class="foot">
          {(facts.session || facts.read_only) && (
            <small>
              {facts.session && <>Only session {facts.session}.</>}{" "}
              {facts.read_only && "Read-only."}
            </small>
          )}
          <button type="button" class="quiet" onClick={() => setShown("palette")}>
            Actions <kbd>Ctrl K</kbd>
          </button>
          <button type="button" class="quiet" onClick={() => setShown("help")}>
            Shortcuts <kbd>?</kbd>
          </button>
        </div>
      </nav>
      <main tabIndex={-1} aria-label={current.title}>
        <header class={hasHead ? "page-head" : "unseen"}>
          <h1>{current.title}</h1>
          {hasHead && <p>{current.about}</p>}
        </header>
        <current.Component key={current.name} />
      </main>
      <div class="notice" role="status">
        {notice && (
          <p>
            {notice.message}
            {notice.undo && <button type="button" onClick={notice.undo}>Undo</button>}
          </p>
        )}
      </div>
      {question && <AskDialog {...question} />}
      {shown === "help" && <HelpDialog onClose={close} />}
      {shown === "palette" && <Palette onClose={close} onHelp={() => setShown("help")} />}
    </PageProvider>
  );
}

function ViewLink(
  { name, title, letter, icon, isCurrent }: ViewEntry & { isCurrent: boolean },
): JSX.Element {
  return (
    <a href={hrefOf(name)} aria-current={isCurrent ? "page" : undefined} title={`g ${letter}`}>
      {icon && <Icon name={icon} />}
      {title}
    </a>
  );
}

/** Runs a command that changes the store: asks for confirmation if needed, reports, offers to undo. */
async function act<N extends CommandName>(
  name: N,
  input: InputOf<N>,
  { done, tell, ask, tellsActs }: {
    /** Whether the server reports past actions; one limited to a session does not. */
    tellsActs: boolean;
    done: string;
    tell(message: string, undo?: () => void): void;
    ask(question: Question | undefined): void;
  },
): Promise<boolean> {
  try {
    const before = tellsActs ? await findLastAct() : undefined;
    try {
      await call(name, input);
    } catch (error) {
      const { code, message, planned } = toCallError(error);
      if (code !== "UNCONFIRMED") throw error;
      const isMeant = await new Promise<boolean>((answer) => ask({ message, planned, answer }));
      ask(undefined);
      if (!isMeant) return false;
      await call(name, input, { confirm: true });
    }
    tellChange();
    // Some commands cannot be undone: do not offer to undo the action before them.
    const made = tellsActs ? await findLastAct() : undefined;
    tell(done, made && made !== before ? () => void takeBack(made, tell) : undefined);
    return true;
  } catch (error) {
    const { message, hint } = toCallError(error);
    tell(hint ? `${message} (${hint})` : message);
    return false;
  }
}

/** The id of the last action; undefined where the server does not report actions. */
async function findLastAct(): Promise<string | undefined> {
  try {
    return (await call("undo", { list: true, limit: 1 })).acts[0]?.id;
  } catch {
    return undefined;
  }
}

async function takeBack(act: string, tell: (message: string) => void): Promise<void> {
  try {
    await call("undo", { act }, { confirm: true });
    tellChange();
    tell("Undone");
  } catch (error) {
    tell(toCallError(error).message);
  }
}

/** Focuses the input field of the view, or goes to that of the search. */
function focusField(): void {
  const field = document.querySelector<HTMLInputElement>("main [data-find]");
  field?.focus();
  field?.select();
  if (field !== null) return;
  goTo(hrefOf("home"));
  // Once it is drawn.
  if (readRoute().view === "home") queueMicrotask(focusField);
}

function leaveField(): boolean | void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return false;
  activeElement.blur();
}
