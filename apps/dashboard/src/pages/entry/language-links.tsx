import { Anchor } from '@mantine/core';
import { locale } from '#locale';
import { shell } from '#texts/shell';
import { chooseLanguage, LANGUAGES } from '../../locale/languages';
import classes from './language-links.module.css';

/** The other languages of the page, each by its own name. */
export function LanguageLinks() {
  return (
    <nav className={classes['languages']} aria-label={shell.language}>
      {LANGUAGES.filter(({ code }) => code !== locale.language).map(({ code, name }) => (
        <Anchor key={code} component="button" type="button" inherit lang={code} onClick={() => chooseLanguage(code)}>{name}</Anchor>
      ))}
    </nav>
  );
}
