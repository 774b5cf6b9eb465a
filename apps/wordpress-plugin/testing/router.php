<?php
/**
 * Requests of PHP's own web server: files of the site's content, files of WordPress, and everything else by WordPress's front page, as
 * the usual rewrite rules do.
 */
$decola_path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
$decola_types = array( 'css' => 'text/css', 'js' => 'text/javascript', 'jpg' => 'image/jpeg', 'jpeg' => 'image/jpeg', 'png' => 'image/png', 'webp' => 'image/webp', 'svg' => 'image/svg+xml' );
if ( false !== strpos( $decola_path, '..' ) ) {
	http_response_code( 400 );
	return true;
}
if ( 0 === strpos( $decola_path, '/wp-content/' ) ) {
	$decola_file = getenv( 'DECOLA_TEST_SITE' ) . $decola_path;
	$decola_type = strtolower( pathinfo( $decola_file, PATHINFO_EXTENSION ) );
	if ( is_file( $decola_file ) && 'php' !== $decola_type ) {
		header( 'Content-Type: ' . ( $decola_types[ $decola_type ] ?? 'application/octet-stream' ) );
		readfile( $decola_file );
		return true;
	}
} elseif ( '/' !== $decola_path && ( is_file( $_SERVER['DOCUMENT_ROOT'] . $decola_path ) || is_file( $_SERVER['DOCUMENT_ROOT'] . rtrim( $decola_path, '/' ) . '/index.php' ) ) ) {
	return false;
}
$_SERVER['SCRIPT_NAME']     = '/index.php';
$_SERVER['PHP_SELF']        = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
return true;
