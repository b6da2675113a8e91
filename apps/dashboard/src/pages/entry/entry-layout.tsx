import { Outlet } from '@tanstack/react-router';
import { BrandLinks } from '../../components/brand-links';
import { Product } from '../../components/product';
import { LanguageLinks } from './language-links';
import classes from './entry-layout.module.css';

export function EntryLayout() {
  return (
    <div className={classes['layout']}>
      <header className={classes['head']}><Product /><LanguageLinks /></header>
      <main className={classes['main']}><Outlet /></main>
      <BrandLinks />
    </div>
  );
}
