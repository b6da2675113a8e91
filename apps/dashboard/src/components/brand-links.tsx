import { common } from '#texts/common';
import { brand } from '../brand/brand';
import classes from './brand-links.module.css';

const LINKS = ([['support', brand.support], ['terms', brand.terms], ['privacy', brand.privacy], ['imprint', brand.imprint]] as const)
  .flatMap(([name, url]) => (url === null ? [] : [{ name, url }]));

/** Support, terms, privacy and imprint of the operator, where they are set. */
export function BrandLinks() {
  if (LINKS.length === 0) return null;
  return (
    <footer className={classes['links']}>
      {LINKS.map(({ name, url }) => <a key={name} href={url} rel="noreferrer" target={url.startsWith('mailto:') ? undefined : '_blank'}>{common.brandLinks[name]}</a>)}
    </footer>
  );
}
