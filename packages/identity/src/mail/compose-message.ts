import { type MailSite, siteOf, tokensWord } from './dashboard-links.js';
import { GERMAN_MAILS } from './german-mails.js';
import { DEFAULT_MAIL_LANGUAGE } from './mail-language.js';
import { MAIL_PICTURE_ID, type MailLook, OWN_TONES } from './mail-look.js';
import { durationText } from './mail-times.js';
import type { MailContent } from './mail.js';
import type { MailName, PlaceholderValues } from './mail-names.js';
import { fillTemplate, fillText, type MessageTexts } from './mail-templates.js';

type PartsOf<Name extends MailName> = MessageTexts & {
  readonly name: Name;
  /** Values of the placeholders, for an operator's text that replaces the message's own. */
  readonly values: PlaceholderValues<Name>;
};

export type MessageParts = { readonly [Name in MailName]: PartsOf<Name> }[MailName];

const OWN_LOOK: MailLook = { ...OWN_TONES, hasPicture: false };
const PAGE_STYLE = 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif';
const COLUMN_STYLE = 'max-width:600px;margin:0 auto';
const NAME_STYLE = 'margin:0 0 24px;font-size:18px;font-weight:600';
const PICTURE_STYLE = 'vertical-align:middle;margin-right:10px;border-radius:6px';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function paragraphsOf(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `<p>${escaped(text)}</p>`);
}

/** The link as a button, and its URL as text. */
function htmlLink({ label, url }: NonNullable<MessageTexts['link']>, { light: { fill, onFill } }: MailLook): readonly string[] {
  const href = escaped(url);
  const style = `display:inline-block;padding:10px 16px;border-radius:6px;background:${fill};color:${onFill};text-decoration:none`;
  return [`<p style="margin:24px 0"><a href="${href}" class="act" style="${style}">${escaped(label)}</a></p>`, `<p style="word-break:break-all">${href}</p>`];
}

/** Styles for mail programs with a dark scheme. The white background keeps a dark picture visible. */
function darkStyles({ dark: { fill, onFill } }: MailLook): string {
  return `<meta name="color-scheme" content="light dark"><style>@media (prefers-color-scheme:dark){body{background:#171c1d;color:#e8eceb}img{background:#fff;padding:3px}a.act{background:${fill}!important;color:${onFill}!important}}</style>`;
}

/** Picture and name of the service. */
function htmlHead(product: string, { hasPicture }: MailLook): string {
  const picture = hasPicture ? `<img src="cid:${MAIL_PICTURE_ID}" alt="" height="32" style="${PICTURE_STYLE}">` : '';
  return `<p style="${NAME_STYLE}">${picture}${escaped(product)}</p>`;
}

/**
 * The operator's text in the language of the site, else the operator's text without a language, else the message's own. An operator's text does not
 * change the label of the link.
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

/** Text and HTML have the same content. The HTML loads nothing: its picture is part of the message. */
export function composeMessage(parts: MessageParts, mailSite: MailSite): MailContent {
  const { name } = parts;
  const { product, look = OWN_LOOK, language = DEFAULT_MAIL_LANGUAGE } = mailSite;
  const { subject, beforeLink, link, afterLink } = textsOf(parts, mailSite);
  const text = [...beforeLink, ...(link === null ? [] : [link.url]), ...afterLink].join('\n\n');
  const html = [
    `<!doctype html>`,
    `<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title>${darkStyles(look)}</head><body style="${PAGE_STYLE}"><div style="${COLUMN_STYLE}">`,
    htmlHead(product, look), ...paragraphsOf(beforeLink), ...(link === null ? [] : htmlLink(link, look)), ...paragraphsOf(afterLink),
    '</div></body></html>',
  ].join('\n');
  return { kind: name, subject, text: `${text}\n`, html: `${html}\n` };
}

/** Sentence about expiry and single use. */
export function linkTerms(lifetimeMilliseconds: number): string {
  return `The link works once and expires in ${durationText(lifetimeMilliseconds)}.`;
}
