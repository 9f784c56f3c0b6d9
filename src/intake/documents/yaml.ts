// The YAML parser behind a static import, so that a bundle resolves it; load this module lazily.

export { parse as parseYaml } from "yaml";
