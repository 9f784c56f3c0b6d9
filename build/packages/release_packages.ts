// What needs the files of a release: a formula for Homebrew and a manifest for Scoop, with the
// checksums that the release publishes.

import { fileNameOf, getTarget } from "../target.ts";
import { facts, homepage } from "./package_facts.ts";
import { writeFiles } from "./write_files.ts";

/** Writes both; checksums are the text of SHA256SUMS. */
export async function writeReleasePackages(into: string, checksums: string): Promise<void> {
  await writeFiles(into, {
    "homebrew/ctx.rb": formula(checksums),
    "scoop/ctx.json": scoopManifest(checksums),
  });
}

function formula(checksums: string): string {
  const on = (os: string, arch: string, target: string): string => {
    const { url, hash } = fileOf(target, checksums);
    return `  on_${os} do\n    on_${arch} do\n      url "${url}"\n      sha256 "${hash}"\n    end\n  end\n`;
  };
  return `# Made by \`deno task packages\` from the checksums of release v${facts.version}.
class Ctx < Formula
  desc "${facts.description.replace(/^An? (\w)/, (_all, first) => first.toUpperCase())}"
  homepage "${homepage}"
  version "${facts.version}"
  license "${facts.license}"

${
    [
      on("macos", "arm", "macos-arm64"),
      on("macos", "intel", "macos-x64"),
      on("linux", "arm", "linux-arm64"),
      on("linux", "intel", "linux-x64"),
    ].join("\n")
  }
  def install
    bin.install Dir["ctx-*"].first => "ctx"
    bin.install_symlink "ctx" => "contextfs"
  end

  test do
    system bin/"ctx", "init"
    system bin/"ctx", "save", "the lantern burns whale oil"
    assert_match "lantern", shell_output("#{bin}/ctx search lantern")
  end
end
`;
}

function scoopManifest(checksums: string): object {
  const target = "windows-x64";
  const { url, hash } = fileOf(target, checksums);
  const file = fileNameOf(getTarget(target));
  const latest = `${homepage}/releases/download/v$version`;
  return {
    version: facts.version,
    description: facts.description,
    homepage,
    license: facts.license,
    architecture: { "64bit": { url, hash } },
    bin: [[file, "ctx"], [file, "contextfs"]],
    checkver: "github",
    autoupdate: {
      architecture: { "64bit": { url: `${latest}/${file}` } },
      hash: { url: `${latest}/SHA256SUMS` },
    },
  };
}

function fileOf(target: string, checksums: string): { url: string; hash: string } {
  const file = fileNameOf(getTarget(target));
  const hash = checksums.split("\n").find((line) => line.endsWith(`  ${file}`))?.slice(0, 64);
  if (hash === undefined) throw new Error(`Cannot package: SHA256SUMS has no "${file}"`);
  return { url: `${homepage}/releases/download/v${facts.version}/${file}`, hash };
}
