import { Button } from '@mantine/core';
import { shell } from '#texts/shell';
import { Failure } from '../components/failure';
import classes from './start-failure.module.css';

/** Stands in place of the pages where a page failed or the gateway does not answer. */
export function StartFailure({ error }: { readonly error: unknown }) {
  return (
    <main className={classes['page']}>
      <h1>{shell.startFailed}</h1>
      <Failure error={error} />
      <Button variant="default" onClick={() => window.location.reload()}>{shell.reload}</Button>
    </main>
  );
}
