import type { MailLanguage } from './mail-language.js';
import { MAX_MAIL_SUBJECT_CHARACTERS } from './mail.js';
import { COMMON_PLACEHOLDERS, MAIL_PLACEHOLDERS, type MailName, PARAGRAPH_PLACEHOLDERS, type PlaceholderValue } from './mail-names.js';

/** Replaces the subject and the text of a message. */
export interface MailTemplate {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** The name of a message, or of a message and a language: `reset-password.de`. */
export type TemplateName = MailName | `${MailName}.${MailLanguage}`;

export type MailTemplates = ReadonlyMap<TemplateName, MailTemplate>;

/** The texts of a message before rendering. Paragraphs are plain text. */
export interface MessageTexts {
  readonly subject: string;
  readonly beforeLink: readonly string[];
  readonly link: { readonly label: string; readonly url: string } | null;
  readonly afterLink: readonly string[];
}

/** Maximum length of an operator's text: with its HTML, the message stays below `MAX_MAIL_CHARACTERS`. */
export const MAX_TEMPLATE_CHARACTERS = 6_000;
const MAX_SUBJECT_CHARACTERS = 100;
const MAX_USES = 5;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const SUBJECT = /^Subject: *(\S.*)$/;

export type TemplateReading = { readonly template: MailTemplate } | { readonly problem: string };

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

function inBraces(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ');
}

function problemOf(name: MailName, { subject, paragraphs }: MailTemplate): string | null {
  const { required, optional } = MAIL_PLACEHOLDERS[name];
  const known: readonly string[] = [...COMMON_PLACEHOLDERS, ...required, ...optional];
  const used = [...namesIn(subject), ...paragraphs.flatMap(namesIn)];
  const unknown = used.find((one) => !known.includes(one));
  if (unknown !== undefined) return `has the unknown placeholder {{${unknown}}}; known are ${inBraces(known)}`;
  const missing = required.filter((one) => !paragraphs.some((paragraph) => namesIn(paragraph).includes(one)));
  if (missing.length > 0) return `lacks ${inBraces(missing)} in its text`;
  const joined = used.find((one) => PARAGRAPH_PLACEHOLDERS.has(one) && (used.filter((other) => other === one).length > 1 || !paragraphs.includes(`{{${one}}}`)));
  if (joined !== undefined) return `must have {{${joined}}} once, alone in a paragraph`;
  const repeated = used.find((one) => used.filter((other) => other === one).length > MAX_USES);
  return repeated === undefined ? null : `must not have {{${repeated}}} more than ${MAX_USES} times`;
}

/** Reads a first line `Subject: …`, an empty line, and paragraphs separated by empty lines. The text of a problem begins with a verb. */
export function readMailTemplate(name: MailName, text: string): TemplateReading {
  if (text.length > MAX_TEMPLATE_CHARACTERS) return { problem: `has more than ${MAX_TEMPLATE_CHARACTERS} characters` };
  const [first = '', ...rest] = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n').split('\n');
  const subject = SUBJECT.exec(first.trimEnd())?.[1];
  if (subject === undefined) return { problem: 'must begin with a line "Subject: …"' };
  if (subject.length > MAX_SUBJECT_CHARACTERS) return { problem: `has a subject of more than ${MAX_SUBJECT_CHARACTERS} characters` };
  const paragraphs = rest.join('\n').split(/\n[ \t]*\n/).map((paragraph) => paragraph.split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ')).filter((paragraph) => paragraph !== '');
  if (paragraphs.length === 0) return { problem: 'must have a text below its subject' };
  const template = { subject, paragraphs };
  const problem = problemOf(name, template);
  return problem === null ? { template } : { problem };
}

/** Replaces placeholders; values are not searched for placeholders. */
export function fillText(text: string, values: Readonly<Record<string, PlaceholderValue>>): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => [values[name] ?? ''].flat().join(' '));
}

/** Fills the placeholders of a template; the link keeps the label of the message's own text. */
export function fillTemplate({ subject, paragraphs }: MailTemplate, values: Readonly<Record<string, PlaceholderValue>>, link: MessageTexts['link']): MessageTexts {
  const texts = (some: readonly string[]) => some.flatMap((paragraph) => {
    const [, alone = ''] = /^\{\{([^{}]*)\}\}$/.exec(paragraph) ?? [];
    const value = values[alone];
    return Array.isArray(value) ? value as readonly string[] : [fillText(paragraph, values)];
  });
  const place = paragraphs.indexOf('{{link}}');
  const isLinked = place !== -1;
  return {
    subject: fillText(subject, values).slice(0, MAX_MAIL_SUBJECT_CHARACTERS), link: isLinked ? link : null,
    beforeLink: texts(isLinked ? paragraphs.slice(0, place) : paragraphs), afterLink: isLinked ? texts(paragraphs.slice(place + 1)) : [],
  };
}
