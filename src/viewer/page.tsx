// The page of `ctx ui`: where its script begins.

import { render } from "preact";
import { App } from "./app.tsx";
import * as z from "zod/mini";
import { facts } from "./data/received.ts";

const told = z.parse(facts, await (await fetch("page.json")).json());
render(<App facts={told} />, document.body);
