import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface TabListProps {
  /** The value of the open tab, which is scrolled into view. */
  readonly open: string;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** Tabs on one line. If the line is too narrow for them, it scrolls and shows that there are more tabs. */
export function TabList({ open, children, ...named }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  // In newer browsers, `scrollIntoView` returns a promise, which React would take for the effect's clean-up function.
  useEffect(() => {
    list.current?.querySelector(`[id$="-tab-${CSS.escape(open)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  return <Tabs.List ref={list} className={classes['tabs'] ?? ''} {...named}>{children}</Tabs.List>;
}
