<?php
/**
 * Configuration of a site for tests. Several sites share the files of WordPress; each has its own folder, which the environment names.
 */
$decola_site = getenv( 'DECOLA_TEST_SITE' );
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:' . $decola_site . '/database.sock' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as $decola_key ) {
	define( $decola_key, hash( 'sha256', $decola_site . $decola_key ) );
}
define( 'WP_CONTENT_DIR', $decola_site . '/wp-content' );
define( 'WP_CONTENT_URL', getenv( 'DECOLA_TEST_ORIGIN' ) . '/wp-content' );
define( 'WP_TEMP_DIR', $decola_site . '/tmp' );
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost' );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', $decola_site . '/debug.log' );
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
