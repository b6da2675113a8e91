import type { ReactNode } from 'react';
import { shell } from '#texts/shell';
import { NavigationLink } from '../components/link';
import { useMe } from '../session/person';
import classes from './navigation.module.css';
import { OPERATOR_PAGES, OWN_PAGES } from './pages';

interface NavigationProps {
  /** Shown above the pages. */
  readonly head?: ReactNode;
  /** For closing a drawer. */
  readonly onChosen?: () => void;
}

/** Operators have a second group. */
export function Navigation({ head, onChosen }: NavigationProps) {
  const { person } = useMe();
  return (
    <>
      <nav aria-label={shell.main} className={classes['group']}>
        {head}
        {OWN_PAGES.map(([to, label]) => <NavigationLink key={to} to={to} label={label} onClick={onChosen} activeProps={{ 'aria-current': 'page' }} className={classes['link']} />)}
      </nav>
      {person.role === 'operator' && (
        <nav aria-label={shell.operator} className={classes['group']}>
          <div className={classes['title']}>{shell.operator}</div>
          {OPERATOR_PAGES.map(([to, label]) => <NavigationLink key={to} to={to} label={label} onClick={onChosen} activeProps={{ 'aria-current': 'page' }} className={classes['link']} />)}
        </nav>
      )}
    </>
  );
}
