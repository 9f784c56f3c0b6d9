// The page of `ctx ui`: where its script begins.

import { render } from "preact";
import { App } from "./app.tsx";
import type { Facts } from "./data/page_context.ts";

const facts: Facts = await (await fetch("page.json")).json();
render(<App facts={facts} />, document.body);
