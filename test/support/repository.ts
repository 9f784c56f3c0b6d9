// Where the repository under test stands.

import { fromFileUrl } from "./from_file_url.ts";

/** The root of the repository under test. */
export const repository = fromFileUrl(new URL("../../", import.meta.url)).replace(/\/$/, "");
