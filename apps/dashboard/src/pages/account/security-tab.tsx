import { AppCard } from './app-card';
import classes from './account.module.css';
import { PasskeysCard } from './passkeys-card';
import { PasswordCard } from './password-card';

export function SecurityTab() {
  return <div className={classes['column']}><PasswordCard /><AppCard /><PasskeysCard /></div>;
}
