import { entry } from '#texts/entry';
import { useRoute } from '../../api/use-route';
import { Note } from '../../components/note';
import classes from './entry.module.css';

export function Or() {
  return <div className={classes['or']}>{entry.or}</div>;
}

/** Shown on insecure remote addresses, where browsers store no session cookie. */
export function InsecureNote() {
  return <Note kind="warning" role="alert">{entry.insecure}</Note>;
}

/** Shown when the gateway writes mail to a folder instead of sending it. */
export function NoMailNote() {
  const methods = useRoute('signInMethods', {});
  return methods.data?.mail === false ? <Note kind="info">{entry.noMailServer}</Note> : null;
}
