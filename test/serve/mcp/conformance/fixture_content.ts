// What the conformance suite expects by name: tools with plain content, resources and prompts.
// Exists only in the test build.

import {
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import {
  type ObjectOf,
  objectSchemaOf,
  type Shapes,
  text as textShape,
} from "../../../../src/command/shape.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image" as const, data: png, mimeType: "image/png" };

/** A text block. */
export function text(words: string): { type: "text"; text: string } {
  return { type: "text", text: words };
}

/** Content blocks by the tool that answers with them. */
export const contents = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio" as const, data: wav, mimeType: "audio/wav" }],
  test_embedded_resource: [{
    type: "resource" as const,
    resource: {
      uri: "test://embedded-resource",
      mimeType: "text/plain",
      text: "This is an embedded resource content.",
    },
  }],
  test_multiple_content_types: [text("Multiple content types test:"), image, {
    type: "resource" as const,
    resource: {
      uri: "test://mixed-content-resource",
      mimeType: "application/json",
      text: JSON.stringify({ test: "data", value: 123 }),
    },
  }],
};

/** Registers the resources of the suite. */
export function addFixtureResources(server: McpServer): void {
  const fixed = (
    name: string,
    part: { text: string } | { blob: string },
    mimeType: string,
  ): void => {
    const uri = `test://${name}`;
    server.registerResource(
      name,
      uri,
      { title: name, description: "A fixture", mimeType },
      () => ({ contents: [{ uri, mimeType, ...part }] }),
    );
  };
  fixed("static-text", { text: "This is the content of the static text resource." }, "text/plain");
  fixed("static-binary", { blob: png }, "image/png");
  fixed("watched-resource", { text: "Watched resource content" }, "text/plain");
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { title: "template", description: "A fixture", mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [{
        uri: uri.href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }],
    }),
  );
}

/** Registers the prompts of the suite. */
export function addFixturePrompts(server: McpServer): void {
  const user = "user" as const;
  server.registerPrompt("test_simple_prompt", { description: "A fixture" }, () => ({
    messages: [{ role: user, content: text("This is a simple prompt for testing.") }],
  }));
  server.registerPrompt("test_prompt_with_arguments", {
    description: "A fixture",
    argsSchema: argumentsOf({
      arg1: textShape("First test argument"),
      arg2: textShape("Second test argument"),
    }),
  }, ({ arg1, arg2 }) => ({
    messages: [{
      role: user,
      content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    }],
  }));
  server.registerPrompt("test_prompt_with_embedded_resource", {
    description: "A fixture",
    argsSchema: argumentsOf({ resourceUri: textShape("URI of the resource to embed") }),
  }, ({ resourceUri }) => ({
    messages: [{
      role: user,
      content: {
        type: "resource" as const,
        resource: {
          uri: resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        },
      },
    }, { role: user, content: text("Please process the embedded resource above.") }],
  }));
  server.registerPrompt("test_prompt_with_image", { description: "A fixture" }, () => ({
    messages: [
      { role: user, content: image },
      { role: user, content: text("Please analyze the image above.") },
    ],
  }));
}

function argumentsOf<S extends Shapes>(
  fields: S,
): StandardSchemaWithJSON<ObjectOf<S>, ObjectOf<S>> {
  return fromJsonSchema(objectSchemaOf(fields));
}
