/** The languages of the pages, under the names that their readers know. */
export const LANGUAGES = [{ code: 'en', name: 'English' }, { code: 'de', name: 'Deutsch' }] as const;

export type Language = (typeof LANGUAGES)[number]['code'];

/** Cookie that tells the gateway the language of the pages. */
const COOKIE = 'tollgate_language';
const SECONDS_PER_YEAR = 31_536_000;

/** Keeps the choice for a year, in this browser, and loads the page again in the language. */
export function chooseLanguage(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${COOKIE}=${language}; Path=/; Max-Age=${SECONDS_PER_YEAR}; SameSite=Lax${secure}`;
  location.reload();
}
