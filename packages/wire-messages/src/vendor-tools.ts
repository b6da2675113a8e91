import type { JsonObject, Tool } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';

type Described = Pick<Tool, 'description' | 'inputSchema'>;

const TEXT = { type: 'string' } as const;
const WHOLE = { type: 'integer' } as const;

function described(description: string, properties: JsonObject, required: readonly string[]): Described {
  return { description, inputSchema: jsonDocument({ type: 'object', properties, required }) };
}

/** Arguments of commands on the content of a file. */
const EDITS: JsonObject = {
  file_text: { ...TEXT, description: 'With create: the content of the file.' },
  old_str: { ...TEXT, description: 'With str_replace: the text to replace, which occurs exactly once.' },
  new_str: { ...TEXT, description: 'With str_replace: the new text.' },
  insert_line: { ...WHOLE, description: 'With insert: the line after which the text is inserted; 0 for the beginning.' },
  insert_text: { ...TEXT, description: 'With insert: the text.' },
  view_range: { type: 'array', items: WHOLE, description: 'With view: the first and the last line; -1 for the end of the file.' },
};

function editor(commands: readonly string[]): Described {
  return described('Views, creates and edits text files.', {
    command: { ...TEXT, enum: commands },
    path: { ...TEXT, description: 'The path of the file or folder.' },
    ...EDITS,
  }, ['command', 'path']);
}

const EDITOR_COMMANDS = ['view', 'create', 'str_replace', 'insert'];
const EDITOR = editor(EDITOR_COMMANDS);
const EDITOR_WITH_UNDO = editor([...EDITOR_COMMANDS, 'undo_edit']);

const BASH = described('Runs commands in a bash shell, whose state is kept between calls.', {
  command: { ...TEXT, description: 'The command to run.' },
  restart: { type: 'boolean', description: 'True restarts the shell.' },
}, ['command']);

const MEMORY = described('Reads and writes files below /memories, which are kept between conversations. View that folder before other work.', {
  command: { ...TEXT, enum: [...EDITOR_COMMANDS, 'delete', 'rename'] },
  path: { ...TEXT, description: 'The path of the file or folder, for all commands but rename.' },
  old_path: { ...TEXT, description: 'With rename: the present path.' },
  new_path: { ...TEXT, description: 'With rename: the new path.' },
  ...EDITS,
}, ['command']);

/** Tools that clients run, but whose schema only the vendor's models know: by type, without the date at its end. */
const TOOLS: ReadonlyMap<string, Described> = new Map([['bash', BASH], ['text_editor', EDITOR], ['memory', MEMORY]]);
const WITH_UNDO: ReadonlySet<string> = new Set(['text_editor_20241022', 'text_editor_20250124']);
const DATE = /_\d{8}$/;

/** Description and schema of a tool that a vendor defines and clients run; `null` for other types. */
export function vendorTool(type: string): Described | null {
  if (WITH_UNDO.has(type)) return EDITOR_WITH_UNDO;
  return DATE.test(type) ? TOOLS.get(type.replace(DATE, '')) ?? null : null;
}
