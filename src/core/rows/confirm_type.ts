// The type of a row by which somebody confirms another entry. Pure.

/** The type of a confirmation; its `refs` name the entry. */
export const confirmType = "confirm";
