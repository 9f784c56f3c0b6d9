// Where the repository under test stands.

import { fromFileUrl } from "../../src/core/platform_path.ts";

/** The root of the repository under test. */
export const repository = fromFileUrl(new URL("../../", import.meta.url)).replace(/\/$/, "");
