import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Failure } from './failure';
import classes from './part.module.css';

const SKELETON_AFTER = 150;

/** True after a delay, to avoid flashing skeletons. */
function useLate(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), SKELETON_AFTER);
    return () => window.clearTimeout(timer);
  }, []);
  return late;
}

/** `height`: pixels, or a CSS length. */
export function Loading({ height }: { readonly height: number | string }) {
  const late = useLate();
  return <Skeleton h={height} visible={late} aria-busy="true"><div /></Skeleton>;
}

interface PartProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Pixels, or a placeholder of the same shape. */
  readonly height: number | ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a skeleton, the error or the data. While a filter changes, the earlier data are dimmed. */
export function Part<Data>({ query, height, children }: PartProps<Data>) {
  if (query.data === undefined && query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return typeof height === 'number' ? <Loading height={height} /> : height;
  return (
    <div className={query.isPlaceholderData ? classes['stale'] : classes['part']} aria-busy={query.isPlaceholderData}>
      {query.isRefetchError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {children(query.data)}
    </div>
  );
}
