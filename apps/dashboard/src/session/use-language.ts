import { useEffect } from 'react';
import { locale } from '#locale';
import { call } from '../api/call';
import { useMe } from './person';

/** Tells the gateway in which language the person reads, for messages. */
export function useLanguage(): void {
  const { person: { language } } = useMe();
  useEffect(() => {
    // Fails silently: an account whose owner may change nothing keeps the language of its messages.
    if (language !== locale.language) call('changeLanguage', { body: { language: locale.language } }).catch(() => undefined);
  }, [language]);
}
