// The key of the first test of RFC 8032: values that it signed can be written down.

import { findSignKey } from "../../src/team/trust/keys.ts";

const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";

/** A key that everybody knows. */
export const rfcKey = findSignKey(
  Uint8Array.fromHex(`302e020100300506032b657004220420${seed}`).toBase64(),
)!;
