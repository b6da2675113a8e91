import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../api/use-route';

/** Invalidates key data. */
export function useKeysChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['list', ...keyOf('listKeys')], keyOf('listKeys'), keyOf('readKey'), keyOf('nameKeys'), keyOf('findKeys'), keyOf('overview'), keyOf('account'), ['list', ...keyOf('activity')]]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}
