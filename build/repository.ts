// Where the repository is.

import { fromFileUrl } from "../src/core/platform_path.ts";

/** The root of the repository, with a slash at the end. */
export const repository: string = fromFileUrl(new URL("../", import.meta.url));
