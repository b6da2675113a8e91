import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { common } from '#texts/common';
import { shell } from '#texts/shell';
import { AmountOverlay } from '../components/amount-overlay';
import { BrandLinks } from '../components/brand-links';
import { Product } from '../components/product';
import { useLanguage } from '../session/use-language';
import { Banner } from './banner';
import { ConnectionBar } from './connection-bar';
import { Navigation } from './navigation';
import { PersonMenu } from './person-menu';
import { SearchButton } from './search-button';
import { Shortcuts } from './shortcuts';
import classes from './shell.module.css';
import { useRoom } from './use-room';

export function Shell() {
  useLanguage();
  const room = useRoom();
  const [menuOpen, { toggle, close }] = useDisclosure(false);
  return (
    <div className={classes['shell']} data-room={room}>
      <a href="#main" className={classes['skip']}>{shell.skip}</a>
      <ConnectionBar />
      <header className={classes['bar']}>
        <Burger opened={menuOpen} onClick={toggle} size="sm" aria-label={shell.menu} className={classes['narrow']} />
        <strong className={classes['narrow']}><Product /></strong>
        <SearchButton />
        <span className={classes['grow']} />
        <PersonMenu />
      </header>
      <div className={classes['side']}>
        <Navigation head={<strong className={classes['product']}><Product />{room === 'operator' && <span className={classes['room']}>{shell.operator}</span>}</strong>} />
      </div>
      <Drawer opened={menuOpen} onClose={close} title={common.product} position="left" size={280} closeButtonProps={{ 'aria-label': common.close }} withinPortal={false} classNames={{ content: classes['drawer'], header: classes['drawer'], close: classes['drawer'] }}><Navigation onChosen={close} /></Drawer>
      <main id="main" className={classes['main']}><Banner /><Outlet /><BrandLinks /></main>
      <AmountOverlay />
      <Shortcuts />
    </div>
  );
}
