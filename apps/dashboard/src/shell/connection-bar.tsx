import { useQuery } from '@tanstack/react-query';
import { common } from '#texts/common';
import { isApiError } from '../api/api-error';
import { meQuery } from '../session/person';
import classes from './connection-bar.module.css';

const WHILE_LOST = 3_000;
const OTHERWISE = 60_000;

/** Shown while the gateway is unreachable or fails. */
export function ConnectionBar() {
  const { error } = useQuery({ ...meQuery, refetchInterval: ({ state }) => (state.error === null ? OTHERWISE : WHILE_LOST) });
  const lost = isApiError(error) && (error.status === 0 || error.status >= 500);
  return <output className={classes['line']}>{lost ? <div className={classes['lost']}>{common.unreachable}</div> : null}</output>;
}
