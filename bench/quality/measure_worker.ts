// A thread that measures settings: each thread has weights of its own. Used by `Measurer`.

/// <reference lib="deno.worker" />

import { openMeasuring } from "./measure_setting.ts";
import type { Setting } from "./weight_paths.ts";

const measuring = openMeasuring();

self.onmessage = async ({ data }: MessageEvent<{ setting: Setting; sets?: string[] }>) => {
  const measure = await measuring;
  self.postMessage(await measure(data.setting, data.sets));
};
