import { shell } from '#texts/shell';
import { NavigationLink } from '../components/link';
import { useMe } from '../session/person';
import classes from './navigation.module.css';

const OWN = [
  ['/overview', shell.pages.overview], ['/keys', shell.pages.keys], ['/usage', shell.pages.usage], ['/models', shell.pages.models],
  ['/playground', shell.pages.playground], ['/activity', shell.pages.activity], ['/account', shell.pages.account],
] as const;

const OPERATOR = [
  ['/operator/live', shell.pages.live], ['/operator/accounts', shell.pages.accounts], ['/operator/usage', shell.pages.allUsage], ['/operator/upstreams', shell.pages.upstreams],
  ['/operator/incidents', shell.pages.incidents], ['/operator/blocklists', shell.pages.blocklists], ['/operator/books', shell.pages.books], ['/operator/audit', shell.pages.audit],
  ['/operator/mail', shell.pages.mail],
] as const;

interface NavigationProps {
  /** Called when a page was chosen, so that a drawer can close. */
  readonly onChosen?: () => void;
}

/** The pages; an operator has a second group. */
export function Navigation({ onChosen }: NavigationProps) {
  const { person } = useMe();
  return (
    <>
      <nav aria-label={shell.main} className={classes['group']}>
        {OWN.map(([to, label]) => <NavigationLink key={to} to={to} label={label} onClick={onChosen} activeProps={{ 'aria-current': 'page' }} className={classes['link']} />)}
      </nav>
      {person.role === 'operator' && (
        <nav aria-label={shell.operator} className={classes['group']}>
          <div className={classes['title']}>{shell.operator}</div>
          {OPERATOR.map(([to, label]) => <NavigationLink key={to} to={to} label={label} onClick={onChosen} activeProps={{ 'aria-current': 'page' }} className={classes['link']} />)}
        </nav>
      )}
    </>
  );
}
