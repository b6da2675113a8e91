import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../api/use-route';

/** Returns a function that invalidates all cached data that depend on keys. */
export function useKeysChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['list', ...keyOf('listKeys')], keyOf('listKeys'), keyOf('readKey'), keyOf('nameKeys'), keyOf('findKeys'), keyOf('overview'), keyOf('account'), ['list', ...keyOf('activity')]]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}
