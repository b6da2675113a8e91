import { UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { shell } from '#texts/shell';
import { SearchIcon } from '../components/icons';
import classes from './search-button.module.css';
import { useEarlyLetters } from './use-early-letters';

const Palette = lazy(() => import('./palette'));

export function SearchButton() {
  const [wish, setWish] = useState(0);
  const [query, setQuery] = useState('');
  const open = () => {
    setQuery('');
    setWish((last) => last + 1);
  };
  useHotkeys([['mod+K', open]], []);
  useEarlyLetters(wish, setQuery);
  return (
    <search className={classes['search']}>
      <UnstyledButton className={classes['button']} onClick={open} aria-label={`${shell.search} ${shell.searchKey}`} aria-haspopup="dialog">
        <SearchIcon /><span className={classes['text']}>{shell.search}</span>{' '}<kbd className={classes['key']}>{shell.searchKey}</kbd>
      </UnstyledButton>
      {wish > 0 && <Suspense><Palette key={wish} query={query} onQuery={setQuery} /></Suspense>}
    </search>
  );
}
