<?php
/**
 * Must-use plugin of a site for tests: runs PHP that a test sends with the site's secret, lets WordPress call addresses of this machine, and
 * plays what other plugins of a customer may do.
 */

function decola_test_option( $name ) {
	$options = get_option( 'decola_test_options', array() );
	return isset( $options[ $name ] ) ? $options[ $name ] : null;
}

// WordPress calls neither private addresses nor unusual ports.
add_filter( 'http_request_host_is_external', '__return_true' );
add_filter(
	'http_allowed_safe_ports',
	function ( $ports, $host, $url ) {
		return array_merge( $ports, array( wp_parse_url( $url, PHP_URL_PORT ) ) );
	},
	10,
	3
);
add_filter( 'pre_wp_mail', '__return_true' );

// Classic Editor.
add_filter(
	'use_block_editor_for_post_type',
	function ( $uses ) {
		return 'classic' === decola_test_option( 'editor' ) ? false : $uses;
	},
	100
);

// A security plugin that lets only logged-in people use the REST API.
add_filter(
	'rest_authentication_errors',
	function ( $result ) {
		if ( 'refused' === decola_test_option( 'rest' ) && ! is_user_logged_in() ) {
			return new WP_Error( 'rest_login_required', 'REST API restricted to authenticated users.', array( 'status' => 401 ) );
		}
		return $result;
	},
	99
);
// One that takes the REST API away.
add_action(
	'parse_request',
	function () {
		if ( 'gone' === decola_test_option( 'rest' ) && ! empty( $GLOBALS['wp']->query_vars['rest_route'] ) ) {
			status_header( 404 );
			exit( '<!DOCTYPE html><title>Página não encontrada</title>' );
		}
	},
	1
);
// A firewall that takes our service for an attacker.
if ( decola_test_option( 'firewall' ) && isset( $_SERVER['HTTP_USER_AGENT'] ) && 0 === strpos( $_SERVER['HTTP_USER_AGENT'], 'Decola-Webhook' ) ) {
	http_response_code( 403 );
	exit( '<!DOCTYPE html><html><head><title>403 Forbidden</title></head><body>Blocked</body></html>' );
}
// A plugin whose mistake is shown in front of every answer.
if ( decola_test_option( 'notice' ) && empty( $_SERVER['HTTP_X_TEST_SECRET'] ) ) {
	echo "<br />\n<b>Notice</b>:  Undefined index: cor in <b>/var/www/wp-content/plugins/velho/velho.php</b> on line <b>12</b><br />\n";
}
// Plugins that rewrite what is saved.
add_filter(
	'content_save_pre',
	function ( $content ) {
		return decola_test_option( 'rewrites' ) ? str_replace( 'Decola', 'Decola®', $content ) : $content;
	}
);

// Stand-ins of SEO plugins: the plugin recognises them by these names.
switch ( decola_test_option( 'seo' ) ) {
	case 'yoast':
		define( 'WPSEO_VERSION', '20.0' );
		break;
	case 'rankmath':
		define( 'RANK_MATH_VERSION', '1.0' );
		break;
	case 'seopress':
		define( 'SEOPRESS_VERSION', '6.0' );
		break;
	case 'aioseo':
		require __DIR__ . '/stand-ins/aioseo.php';
		break;
}

add_action(
	'wp_loaded',
	function () {
		$secret = isset( $_SERVER['HTTP_X_TEST_SECRET'] ) ? $_SERVER['HTTP_X_TEST_SECRET'] : '';
		if ( '' === $secret || ! hash_equals( (string) getenv( 'DECOLA_TEST_SECRET' ), $secret ) ) {
			return;
		}
		$run = function () {
			return eval( file_get_contents( 'php://input' ) );
		};
		try {
			$answer = array( 'value' => $run() );
		} catch ( Throwable $error ) {
			$answer = array( 'error' => (string) $error );
		}
		header( 'Content-Type: application/json' );
		exit( wp_json_encode( $answer ) );
	},
	PHP_INT_MAX
);
