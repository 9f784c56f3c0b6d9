// Where the repository is.

/** The root of the repository, with a slash at the end. */
export const repository: string = decodeURIComponent(new URL("../", import.meta.url).pathname);
