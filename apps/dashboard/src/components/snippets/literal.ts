/** Members of an object literal. Strings are escaped as in JSON, which is valid in all supported languages. */
type Fields = Readonly<Record<string, unknown>>;

const WIDTH = 100;
const NAME = /^[A-Za-z_$][\w$]*$/;

interface Style {
  readonly key: (name: string) => string;
  readonly word: (value: unknown) => string;
}

const JAVASCRIPT: Style = { key: (name) => `${NAME.test(name) ? name : JSON.stringify(name)}: `, word: (value) => (typeof value === 'string' ? single(value) : JSON.stringify(value)) };
const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
const PYTHON: Style = { key: (name) => `${JSON.stringify(name)}: `, word: (value) => PYTHON_WORDS[JSON.stringify(value)] ?? JSON.stringify(value) };

/** The text in single quotes if it needs no escapes. */
function single(text: string): string {
  const json = JSON.stringify(text);
  return json.slice(1, -1) === text && !text.includes("'") ? `'${text}'` : json;
}

function written(value: unknown, style: Style, indent: string): string {
  if (typeof value !== 'object' || value === null) return style.word(value);
  const list = Array.isArray(value);
  const inner = `${indent}  `;
  const partsAt = (depth: string) => (list
    ? (value as readonly unknown[]).map((item) => written(item, style, depth))
    : Object.entries(value).filter(([, item]) => item !== undefined).map(([name, item]) => style.key(name) + written(item, style, depth)));
  const [open, close] = list ? ['[', ']'] : ['{', '}'];
  const pad = list ? '' : ' ';
  const short = partsAt(indent);
  const line = short.length === 0 ? open + close : open + pad + short.join(', ') + pad + close;
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line;
  return `${open}\n${partsAt(inner).map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

export function javascript(value: unknown, indent = ''): string {
  return written(value, JAVASCRIPT, indent);
}

export function python(value: unknown, indent = ''): string {
  return written(value, PYTHON, indent);
}

/** Members of an object literal, without braces, one per line. */
export function javascriptMembers(fields: Fields, indent: string): string {
  return Object.entries(fields).map(([name, value]) => `${indent}${JAVASCRIPT.key(name)}${javascript(value, indent)},\n`).join('');
}

/** Keyword arguments, one per line. */
export function pythonArguments(fields: Fields, indent: string): string {
  return Object.entries(fields).map(([name, value]) => `${indent}${name}=${python(value, indent)},\n`).join('');
}

/** Quotes a text as one word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
