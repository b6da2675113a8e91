import { entry } from '#texts/entry';
import { useRoute } from '../../api/use-route';
import { Note } from '../../components/note';
import classes from './entry.module.css';

/** Between two ways of doing the same. */
export function Or() {
  return <div className={classes['or']}>{entry.or}</div>;
}

/** Browsers keep no session at an address that is neither encrypted nor this machine's, so nothing here could work. */
export function InsecureNote() {
  return <Note kind="warning" role="alert">{entry.insecure}</Note>;
}

/** Says where messages are while none leaves the machine. */
export function NoMailNote() {
  const methods = useRoute('signInMethods', {});
  return methods.data?.mail === false ? <Note kind="info">{entry.noMailServer}</Note> : null;
}
