<?php
/**
 * Plugin Name:       Decola
 * Description:       Recebe os artigos da sua automação de blog e os publica neste site, com imagem, categorias e dados de SEO.
 * Version:           1.1.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            Decola
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       decola
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

define( 'DECOLA_VERSION', '1.1.0' );
define( 'DECOLA_NAME', 'Decola' );
// Address of the service; empty when the plugin was packed without one.
define( 'DECOLA_ADDRESS', '' );
define( 'DECOLA_FILE', __FILE__ );

foreach ( array( 'refusal', 'schema', 'settings', 'signature', 'diary', 'site', 'content', 'seo', 'claims', 'articles', 'media', 'receiver', 'doors', 'lock', 'pickup', 'health', 'connection', 'admin' ) as $decola_part ) {
	require_once __DIR__ . '/includes/class-decola-' . $decola_part . '.php';
}
unset( $decola_part );

register_activation_hook( __FILE__, array( 'Decola_Schema', 'activate' ) );
Decola_Doors::register();
Decola_Seo::register();
Decola_Pickup::register();
Decola_Health::register();
Decola_Admin::register();
