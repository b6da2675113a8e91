import { createTheme, Drawer, Menu, Modal, defaultVariantColorsResolver, Badge, type VariantColorsResolver } from '@mantine/core';

/** Text on filled components: white in the light scheme, dark in the dark scheme. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colors, color: 'var(--on-primary)' } : colors;
};

/** Values that components read in JavaScript, and default properties; all other values are in tokens.css. */
export const theme = createTheme({
  variantColorResolver,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Mantine's scroll lock inserts style elements, which the content security policy forbids; base.css locks instead.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true, radius: 10, padding: 'lg', overlayProps: { backgroundOpacity: 0.45 } } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false, position: 'right' } }),
    // The placeholder for the initial focus is not a valid child of a menu (axe: critical).
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', variant: 'light', radius: 4, fw: 500 } }),
  },
});
