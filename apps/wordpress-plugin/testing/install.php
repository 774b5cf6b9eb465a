<?php
/** Installs WordPress for tests. Arguments: folder of WordPress, as JSON {origin, user, password}. */
list( , $decola_core, $decola_facts ) = $argv;
$decola_facts = json_decode( $decola_facts, true );
mysqli_report( MYSQLI_REPORT_OFF );
$decola_socket = getenv( 'DECOLA_TEST_SITE' ) . '/database.sock';
$decola_end    = time() + 120;
do {
	$decola_database = @new mysqli( 'localhost', 'root', '', '', 0, $decola_socket );
	if ( ! $decola_database->connect_errno ) {
		break;
	}
	usleep( 50000 );
} while ( time() < $decola_end );
$decola_database->query( 'create database wordpress character set utf8mb4' ) || exit( 'no database: ' . $decola_database->error );
$decola_database->close();

$_SERVER['HTTP_HOST']       = substr( $decola_facts['origin'], strlen( 'http://' ) );
$_SERVER['REQUEST_URI']     = '/wp-admin/install.php';
$_SERVER['REQUEST_METHOD']  = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define( 'WP_INSTALLING', true );
define( 'WP_SITEURL', $decola_facts['origin'] );
require $decola_core . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
add_filter( 'pre_wp_mail', '__return_true' );
wp_install( 'Site de teste', $decola_facts['user'], 'dona@site.test', true, '', $decola_facts['password'] );
update_option( 'home', $decola_facts['origin'] );
update_option( 'siteurl', $decola_facts['origin'] );
update_option( 'gmt_offset', -3 );
echo 'installed';
