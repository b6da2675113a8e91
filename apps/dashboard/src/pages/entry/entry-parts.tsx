import { entry } from '#texts/entry';
import { useRoute } from '../../api/use-route';
import { Note } from '../../components/note';
import classes from './entry.module.css';

export function Or() {
  return <div className={classes['or']}>{entry.or}</div>;
}

/** Browsers keep no session on an unencrypted remote address. */
export function InsecureNote() {
  return <Note kind="warning" role="alert">{entry.insecure}</Note>;
}

/** Shown while mail is written to a folder. */
export function NoMailNote() {
  const methods = useRoute('signInMethods', {});
  return methods.data?.mail === false ? <Note kind="info">{entry.noMailServer}</Note> : null;
}
