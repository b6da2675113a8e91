import { useEffect } from 'react';
import { locale } from '#locale';
import { call } from '../api/call';
import { chooseLanguage, chosenLanguage } from '../locale/languages';
import { useMe } from './person';

/**
 * Tells the gateway in which language the person reads, for messages. A person who has chosen a language elsewhere gets the page in it, unless
 * another one was chosen in this browser.
 */
export function useLanguage(): void {
  const { person: { language } } = useMe();
  useEffect(() => {
    if (language === locale.language) return;
    if (language !== null && chosenLanguage() === null) chooseLanguage(language);
    // Without a notice: an account whose owner may change nothing keeps the language of its messages.
    else call('changeLanguage', { body: { language: locale.language } }).catch(() => undefined);
  }, [language]);
}
