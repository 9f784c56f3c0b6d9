// The languages the symbol graph understands: which files they are, which grammar parses them, and
// the queries that find definitions, references and imports. A table; loads nothing.

/** A language of the graph. */
export type Language = "typescript" | "tsx" | "javascript" | "python" | "go" | "rust" | "java";

/** The language of a file by its name, or undefined when the graph does not know it. */
export function findLanguage(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : byExtension[name.slice(dot + 1).toLowerCase()];
}

/** Extensions that a JavaScript or TypeScript import may leave out, in the order they are tried. */
export const scriptExtensions = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"] as const;

const byExtension: Record<string, Language> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  py: "python",
  pyi: "python",
  go: "go",
  rs: "rust",
  java: "java",
};

const scriptQuery = `
(function_declaration name: (identifier) @name) @def.function
(generator_function_declaration name: (identifier) @name) @def.function
(method_definition name: (property_identifier) @name) @def.method
(program (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable)))
(call_expression function: (identifier) @ref)
(call_expression function: (member_expression property: (property_identifier) @ref))
(call_expression function: (member_expression object: (identifier) @ref))
(member_expression object: (identifier) @ref)
(new_expression constructor: (identifier) @ref)
(new_expression constructor: (member_expression property: (property_identifier) @ref))
(arguments (identifier) @ref)
(pair value: (identifier) @ref)
(return_statement (identifier) @ref)
(export_specifier name: (identifier) @ref)
(variable_declarator value: (identifier) @ref)
(variable_declarator value: (member_expression property: (property_identifier) @ref))
(import_specifier name: (identifier) @use)
(import_statement source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import)))
(call_expression function: (identifier) @require arguments: (arguments . (string (string_fragment) @required)) (#eq? @require "require"))
`;

const typescriptQuery = `${scriptQuery}
(class_declaration name: (type_identifier) @name) @def.class
(abstract_class_declaration name: (type_identifier) @name) @def.class
(interface_declaration name: (type_identifier) @name) @def.interface
(type_alias_declaration name: (type_identifier) @name) @def.type
(enum_declaration name: (identifier) @name) @def.enum
(function_signature name: (identifier) @name) @def.function
(type_identifier) @ref
(extends_clause value: (identifier) @ref)
(extends_clause value: (member_expression property: (property_identifier) @ref))
`;

const jsxQuery = `
(jsx_opening_element name: (identifier) @ref)
(jsx_self_closing_element name: (identifier) @ref)
`;

/** The tree-sitter query of a language. Captures: name, def.KIND, ref, use, import, module. */
export const languageQueries: Record<Language, string> = {
  typescript: typescriptQuery,
  tsx: typescriptQuery + jsxQuery,
  javascript: `${scriptQuery}${jsxQuery}
(class_declaration name: (identifier) @name) @def.class
(class_heritage (identifier) @ref)
`,
  python: `
(function_definition name: (identifier) @name) @def.function
(class_definition name: (identifier) @name) @def.class
(module (expression_statement (assignment left: (identifier) @name) @def.variable))
(call function: (identifier) @ref)
(call function: (attribute attribute: (identifier) @ref))
(attribute object: (identifier) @ref)
(argument_list (identifier) @ref)
(type (identifier) @ref)
(class_definition superclasses: (argument_list (identifier) @ref))
(decorator (identifier) @ref)
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement) @from
`,
  go: `
(function_declaration name: (identifier) @name) @def.function
(method_declaration name: (field_identifier) @name) @def.method
(type_declaration (type_spec name: (type_identifier) @name) @def.type)
(source_file (const_declaration (const_spec name: (identifier) @name) @def.variable))
(source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
(call_expression function: (identifier) @ref)
(call_expression function: (selector_expression field: (field_identifier) @ref))
(qualified_type name: (type_identifier) @ref)
(composite_literal type: (type_identifier) @ref)
(pointer_type (type_identifier) @ref)
(import_spec path: (interpreted_string_literal) @import)
`,
  rust: `
(function_item name: (identifier) @name) @def.function
(function_signature_item name: (identifier) @name) @def.function
(struct_item name: (type_identifier) @name) @def.class
(enum_item name: (type_identifier) @name) @def.enum
(trait_item name: (type_identifier) @name) @def.interface
(type_item name: (type_identifier) @name) @def.type
(const_item name: (identifier) @name) @def.variable
(macro_definition name: (identifier) @name) @def.macro
(call_expression function: (identifier) @ref)
(call_expression function: (field_expression field: (field_identifier) @ref))
(call_expression function: (scoped_identifier name: (identifier) @ref))
(macro_invocation macro: (identifier) @ref)
(struct_expression name: (type_identifier) @ref)
(parameter type: (type_identifier) @ref)
(reference_type type: (type_identifier) @ref)
(use_declaration argument: (_) @import)
(mod_item name: (identifier) @submodule !body)
`,
  java: `
(class_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(record_declaration name: (identifier) @name) @def.class
(annotation_type_declaration name: (identifier) @name) @def.interface
(method_declaration name: (identifier) @name) @def.method
(method_invocation name: (identifier) @ref)
(object_creation_expression type: (type_identifier) @ref)
(superclass (type_identifier) @ref)
(type_list (type_identifier) @ref)
(field_declaration type: (type_identifier) @ref)
(formal_parameter type: (type_identifier) @ref)
(import_declaration) @import
(package_declaration [(scoped_identifier) (identifier)] @module)
`,
};
