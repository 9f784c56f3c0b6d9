// The probe inside a worker.

import { probe } from "./sandbox_probe.ts";

const scope = globalThis as unknown as Worker;
scope.onmessage = async ({ data }) => scope.postMessage(await probe(data));
