import { type MailSite, siteOf, tokensWord } from './dashboard-links.js';
import { GERMAN_MAILS } from './german-mails.js';
import { DEFAULT_MAIL_LANGUAGE } from './mail-language.js';
import { durationText } from './mail-times.js';
import type { MailContent } from './mail.js';
import type { MailName, PlaceholderValues } from './mail-names.js';
import { fillTemplate, fillText, type MessageTexts } from './mail-templates.js';

type PartsOf<Name extends MailName> = MessageTexts & {
  readonly name: Name;
  /** Of the placeholders, for a text that replaces this one. */
  readonly values: PlaceholderValues<Name>;
};

export type MessageParts = { readonly [Name in MailName]: PartsOf<Name> }[MailName];

const PAGE_STYLE = 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif';
const LINK_STYLE = 'display:inline-block;padding:10px 16px;border-radius:6px;background:#0b6370;color:#ffffff;text-decoration:none';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function paragraphsOf(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `<p>${escaped(text)}</p>`);
}

/** A button, and the URL as text. */
function htmlLink({ label, url }: NonNullable<MessageTexts['link']>): readonly string[] {
  const href = escaped(url);
  return [`<p><a href="${href}" style="${LINK_STYLE}">${escaped(label)}</a></p>`, `<p style="word-break:break-all">${href}</p>`];
}

/**
 * The operator's text in the language of the site, else the operator's text in none, else the message's own.
 * A text of the operator keeps the label of the message's own link.
 */
function textsOf({ name, values, ...english }: MessageParts, mailSite: MailSite): MessageTexts {
  const { baseUrl, product, templates, language = DEFAULT_MAIL_LANGUAGE } = mailSite;
  const german = language === 'de' ? GERMAN_MAILS[name] : null;
  const template = templates?.get(`${name}.${language}`) ?? templates?.get(name) ?? german;
  if (template === null) return english;
  const common = { product, site: siteOf(baseUrl), tokens: tokensWord(mailSite) };
  const label = german === null || german.label === null ? english.link?.label ?? '' : fillText(german.label, common);
  return fillTemplate(template, { ...values, ...common }, english.link === null ? null : { ...english.link, label });
}

/** Text and HTML have the same content; the HTML loads nothing. */
export function composeMessage(parts: MessageParts, mailSite: MailSite): MailContent {
  const { name } = parts;
  const { subject, beforeLink, link, afterLink } = textsOf(parts, mailSite);
  const text = [...beforeLink, ...(link === null ? [] : [link.url]), ...afterLink].join('\n\n');
  const html = [
    `<!doctype html>`,
    `<html lang="${mailSite.language ?? DEFAULT_MAIL_LANGUAGE}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body style="${PAGE_STYLE}">`,
    ...paragraphsOf(beforeLink), ...(link === null ? [] : htmlLink(link)), ...paragraphsOf(afterLink),
    '</body></html>',
  ].join('\n');
  return { kind: name, subject, text: `${text}\n`, html: `${html}\n` };
}

/** About expiry and single use. */
export function linkTerms(lifetimeMilliseconds: number): string {
  return `The link works once and expires in ${durationText(lifetimeMilliseconds)}.`;
}
