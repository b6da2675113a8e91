import { Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { brand } from '../brand/brand';
import { shown } from '../format/shown';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly help?: ReactNode;
  readonly children: ReactNode;
}

/** On navigation, moves the focus to the page's title and sets the window's title. */
export function Page({ title, action, help, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown(title)} · ${brand.name}`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div className={classes['head']}>
        <Title order={1} ref={heading} tabIndex={-1} className={classes['title']}><bdi>{title}</bdi></Title>
        {action !== undefined && <div className={classes['action']}>{action}</div>}
      </div>
      {help !== undefined && <p className={classes['help']}>{help}</p>}
      {children}
    </>
  );
}
