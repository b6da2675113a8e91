import { Outlet } from '@tanstack/react-router';
import { common } from '#texts/common';
import classes from './entry-layout.module.css';

export function EntryLayout() {
  return (
    <div className={classes['layout']}>
      <header className={classes['head']}>{common.product}</header>
      <main className={classes['main']}><Outlet /></main>
    </div>
  );
}
