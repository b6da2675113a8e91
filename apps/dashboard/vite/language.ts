import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const texts = new URL('../src/texts/', import.meta.url);
const DEFAULT_LANGUAGE = 'en';

/** Folders of `src/texts`. */
const languages = readdirSync(texts);

/** Language of this build; there is one build per language. Throws if the language has no folder of texts. */
export const language = process.env['DASHBOARD_LANGUAGE'] ?? DEFAULT_LANGUAGE;
if (!languages.includes(language)) throw new Error(`DASHBOARD_LANGUAGE is "${language}", which is not one of ${languages.join(', ')}.`);

export const isDefaultLanguage = language === DEFAULT_LANGUAGE;
export const localeFile = fileURLToPath(new URL(`../src/locale/${language}.ts`, import.meta.url));
export const textsFolder = fileURLToPath(new URL(language, texts));

/** Names the page after its language, `index.de.html`; that of the default language stays `index.html`. */
export function languagePage(): Plugin {
  return {
    name: 'language-page',
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        if (page !== undefined && !isDefaultLanguage) page.fileName = `index.${language}.html`;
      },
    },
  };
}
