import { Button } from '@mantine/core';
import { shell } from '#texts/shell';
import { Failure } from '../components/failure';
import classes from './start-failure.module.css';

/** Replaces the pages if one crashed or the gateway does not respond. */
export function StartFailure({ error }: { readonly error: unknown }) {
  return (
    <main className={classes['page']}>
      <h1>{shell.startFailed}</h1>
      <Failure error={error} />
      <Button variant="default" onClick={() => window.location.reload()}>{shell.reload}</Button>
    </main>
  );
}
