import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAIL_LANGUAGES, MAIL_NAMES, type MailName, type MailTemplate, type MailTemplates, readMailTemplate, type TemplateName } from '@tollgate/identity';

export type MailTemplatesReading = { readonly templates: MailTemplates } | { readonly problems: readonly string[] };

const ENDING = '.txt';
/** Maximum size of a file; larger files are refused unread. */
const MAX_BYTES = 65_536;

interface TemplateFile {
  readonly mail: MailName;
  readonly name: TemplateName;
}

const FILES: ReadonlyMap<string, TemplateFile> = new Map(MAIL_NAMES.flatMap((mail) => (
  [mail, ...MAIL_LANGUAGES.map((language) => `${mail}.${language}` as const)].map((name): [string, TemplateFile] => [name + ENDING, { mail, name }])
)));

function readFile(folder: string, file: string): { readonly name: TemplateName; readonly template: MailTemplate } | { readonly problem: string } {
  const known = FILES.get(file);
  if (known === undefined) return { problem: `${file} replaces no message; the names are ${MAIL_NAMES.map((name) => name + ENDING).join(', ')}` };
  const path = join(folder, file);
  if (statSync(path).size > MAX_BYTES) return { problem: `${file} has more than 64 KiB` };
  const reading = readMailTemplate(known.mail, readFileSync(path, 'utf8'));
  return 'problem' in reading ? { problem: `${file} ${reading.problem}` } : { name: known.name, template: reading.template };
}

/** Reads all files except those whose names begin with a dot. Problems are one line each. */
export function readMailTemplates(folder: string): MailTemplatesReading {
  try {
    const read = readdirSync(folder).filter((file) => !file.startsWith('.')).toSorted().map((file) => readFile(folder, file));
    const problems = read.flatMap((one) => ('problem' in one ? [one.problem] : []));
    if (problems.length > 0) return { problems };
    return { templates: new Map(read.flatMap((one) => ('problem' in one ? [] : [[one.name, one.template] as const]))) };
  } catch (thrown) {
    return { problems: [`cannot be read: ${(thrown as NodeJS.ErrnoException).message}`] };
  }
}
