// Agents that can start the server and whose settings ctx does not edit.

/** Their names, by their sources. */
export const connectedByHand: Record<string, string> = {
  antigravity: "Antigravity",
  cline: "Cline",
  continue: "Continue",
  crush: "Crush",
  droid: "Factory Droid",
  goose: "Goose",
  kilo: "Kilo",
  kimi: "Kimi Code",
  openhands: "OpenHands",
  zed: "Zed",
};
